/** Runs every command of the fault table with every fault of the connection. */
import { testFaults } from "./test-faults.ts";

testFaults("connection");
