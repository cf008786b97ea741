import { z } from 'zod'

/** A part of an exported file. Put together in order, the texts are the file. */
export const ExportPiece = z.strictObject({
  text: z.string(),
  /** Rows written so far, and rows in all. */
  done: z.int(),
  total: z.int(),
})
export type ExportPiece = z.infer<typeof ExportPiece>
