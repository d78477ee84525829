/**
 * The first module of the executable, instead of bin/catalog.js: the executable contains its compiled code,
 * so it needs no cache in a folder, and its Node.js needs no flag to exit at once.
 */
import { start } from "../../src/main.ts";

start();
