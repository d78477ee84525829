/** The types of cross-spawn, which completes `spawn` of Node.js for Windows. */
declare module "cross-spawn" {
  import { spawn } from "node:child_process";
  export default spawn;
}
