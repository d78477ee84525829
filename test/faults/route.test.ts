/** Runs every command of the fault table with every fault on the route to the service. */
import { testFaults } from "./test-faults.ts";

testFaults("route");
