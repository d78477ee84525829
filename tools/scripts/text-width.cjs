/** Hands cli-table3, which is in the older module format, the measure of text width that we use. */
module.exports = require("string-width").default;
