/** The types of cross-spawn: those of `spawn`, which it completes for Windows. */
declare module "cross-spawn" {
  import { spawn } from "node:child_process";
  export default spawn;
}
