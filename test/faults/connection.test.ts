/** Faults of the connection, with every command: see the fault table. */
import { testFaults } from "./cell.ts";

testFaults("connection");
