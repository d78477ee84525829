/** Faults on the way to the service, with every command: see the fault table. */
import { testFaults } from "./cell.ts";

testFaults("way");
