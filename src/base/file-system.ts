/**
 * The calls of the file system that commands wait for. Node.js has the same in a module of promises,
 * which brings its web streams along: as long as a short command takes to do its work.
 */
import * as fs from "node:fs";
import { promisify } from "node:util";

export const access = promisify(fs.access);
export const appendFile = promisify(fs.appendFile);
export const chmod = promisify(fs.chmod);
export const lstat = promisify(fs.lstat);
export const mkdir = promisify(fs.mkdir);
export const readdir = promisify(fs.readdir);
export const readFile = promisify(fs.readFile);
export const realpath = promisify(fs.realpath.native);
export const rm = promisify(fs.rm);
export const stat = promisify(fs.stat);
