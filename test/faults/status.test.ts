/** Runs every command of the fault table with every fault in the status. */
import { testFaults } from "./test-faults.ts";

testFaults("status");
