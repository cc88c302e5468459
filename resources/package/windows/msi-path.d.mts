export declare const withPath: (project: string) => string;
declare const addPath: (projectFile: string) => Promise<void>;
export default addPath;
