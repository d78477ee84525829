/** Stands in for Node.js's own HTTP where only the largest head of an answer is asked for; in bytes. */
module.exports = { maxHeaderSize: 16 * 1024 };
