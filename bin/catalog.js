#!/usr/bin/env node
"use strict";

const { join } = require("node:path");
const { start } = require("../dist/start.cjs");

start(process, require, join(__dirname, "../dist/parts"));
