/** Types of the part of cosmiconfig that reads given files, without its search for JavaScript. */
declare module "cosmiconfig/dist/Explorer.js" {
  import type { CosmiconfigResult } from "cosmiconfig";

  interface ExplorerOptions {
    readonly moduleName: string;
    readonly searchPlaces: readonly string[];
    readonly searchStrategy: "none";
    readonly ignoreEmptySearchPlaces: boolean;
    readonly cache: boolean;
    readonly mergeImportArrays: boolean;
    readonly mergeSearchPlaces: boolean;
    readonly transform: (result: CosmiconfigResult) => CosmiconfigResult;
    readonly loaders: Readonly<Record<string, (path: string, content: string) => unknown>>;
  }

  export class Explorer {
    constructor(options: ExplorerOptions);
    search(from: string): Promise<CosmiconfigResult>;
    load(path: string): Promise<CosmiconfigResult>;
  }
}
