/**
 * The first module of the executable, instead of bin/catalog.js. The executable contains its compiled code and so
 * needs no cache, and its version of Node.js needs no flag to exit at once.
 */
import { start } from "../../src/main.ts";

start();
