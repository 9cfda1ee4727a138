/** What `ModuleMocks.swift` gives. */
declare const modules: { name: string, version: string, constants: string[], methods: any[], events: { name: string, isMember: boolean }[] }[];
declare const classes: { name: string, methods: any[], properties: string[] }[];
