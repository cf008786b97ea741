import { z } from 'zod'

/** A node as the commands `status` and `doctor` list it. */
export const ListedNode = z.strictObject({
  name: z.string(),
  address: z.string().nullable().meta({ description: 'Null until it listens' }),
  version: z.string().meta({ description: 'Version of Tidegate' }),
  lease: z.enum(['ok', 'ended']).meta({
    description: 'Whether the node may serve: without a lease, update checks get 204',
  }),
  changesBehind: z
    .int()
    .meta({ description: 'Changes of releases and people that it does not serve yet' }),
})
export type ListedNode = z.infer<typeof ListedNode>
