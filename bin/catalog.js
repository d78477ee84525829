#!/usr/bin/env node
"use strict";

const { start } = require("../dist/start.cjs");

start(process, require, `${__dirname}/../dist/parts`);
