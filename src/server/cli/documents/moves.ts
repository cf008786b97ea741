import { z } from 'zod'

export const MoveDocument = z.discriminatedUnion('discarded', [
  z.strictObject({
    discarded: z.literal(false),
    /** Without passwords. */
    from: z.string(),
    to: z.string(),
    /** Whether it continued an interrupted move. */
    resumed: z.boolean(),
    /** What both sides have. */
    tables: z.array(z.strictObject({ table: z.string(), rows: z.int() })).readonly(),
    devices: z.array(z.strictObject({ app: z.string(), devices: z.int() })).readonly(),
  }),
  z.strictObject({ discarded: z.literal(true), to: z.string() }),
])
