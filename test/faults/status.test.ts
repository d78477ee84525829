/** Answers that say no, not now, or elsewhere, with every command: see the fault table. */
import { testFaults } from "./cell.ts";

testFaults("status");
