/** Stands in for a module that a package asks for and that we never use: see build.mjs. */
module.exports = {};
