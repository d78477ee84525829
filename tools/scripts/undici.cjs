/**
 * The part of undici that is bundled: its entry point would also load fetch, WebSocket, mocks and caches at every start
 * of a command that sends a request (docs/contributing/start-up.md).
 */
const api = require("undici/lib/api/api-request.js");
const connect = require("undici/lib/api/api-connect.js");
const Dispatcher = require("undici/lib/dispatcher/dispatcher.js");

// As the entry point does it.
Object.assign(Dispatcher.prototype, { request: api, connect });
exports.Agent = require("undici/lib/dispatcher/agent.js");
exports.ProxyAgent = require("undici/lib/dispatcher/proxy-agent.js");
