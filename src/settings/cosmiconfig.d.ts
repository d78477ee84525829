/** The part of cosmiconfig's class `Explorer` that catalog uses, because the types of that file in the package are empty. */
declare module "cosmiconfig/dist/Explorer.js" {
  import type { Options, PublicExplorer } from "cosmiconfig";

  export const Explorer: new (
    options: Partial<Options> & { readonly moduleName: string },
  ) => PublicExplorer;
}
