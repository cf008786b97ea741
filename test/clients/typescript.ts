import { ts } from '@ts-morph/common'

// The generators are written for the programming interface of TypeScript 5, which TypeScript 7 does
// not have. This is what they get in place of `typescript`.
// biome-ignore lint/style/noDefaultExport: as typescript exports it
export default ts
