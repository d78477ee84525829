/** Runs the commands of the fault table with a service that behaves unlike its documentation. */
import { testFaults } from "./test-faults.ts";

testFaults("behavior");
