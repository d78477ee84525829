/** Stands in for Node.js's own assert, which loads what it colors its messages with: 4 ms. */
module.exports = (isTrue, message) => {
  if (!isTrue) throw new Error(message ?? "what cannot be has come about");
};
