/** Runs the commands of the fault table with a service that does not follow its documentation. */
import { testFaults } from "./test-faults.ts";

testFaults("behavior");
