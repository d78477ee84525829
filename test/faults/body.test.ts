/** Runs every command of the fault table with every fault in the response body. */
import { testFaults } from "./test-faults.ts";

testFaults("body");
