/** Faults of the answer's body, with every command: see the fault table. */
import { testFaults } from "./cell.ts";

testFaults("body");
