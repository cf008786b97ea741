import { z } from 'zod'
import { ChannelPolicy } from '../channel.ts'
import { KeyItem, Scope } from '../key.ts'
import { AppRef, ChannelName, DisplayName, Timestamp } from '../names.ts'

export const AppDetail = z.strictObject({
  ref: AppRef,
  id: z.uuid(),
  name: z.string(),
  createdAt: Timestamp,
  /** An archived app is answered to nobody, and can be deleted. */
  archived: z.boolean(),
  devices: z.int(),
  channels: z.array(
    z.strictObject({
      name: ChannelName,
      policy: ChannelPolicy,
      createdAt: Timestamp,
      releases: z.int(),
      /** Published releases that have artifacts: what keeps the channel from being deleted. */
      served: z.int(),
    }),
  ),
})
export type AppDetail = z.infer<typeof AppDetail>

/** Texts to copy that connect an app to this server, for one of its addresses. */
export const ConnectSnippets = z.strictObject({
  addresses: z.array(z.strictObject({ url: z.url(), reach: z.enum(['this_machine', 'network']) })),
  snippets: z.array(
    z.strictObject({
      /** Base address that the snippet uses. */
      address: z.url(),
      title: z.string(),
      language: z.enum(['json', 'javascript', 'rust', 'sh']),
      text: z.string(),
    }),
  ),
})
export type ConnectSnippets = z.infer<typeof ConnectSnippets>

export const MintInput = z.strictObject({
  name: DisplayName,
  scopes: z.array(Scope).min(1, 'choose at least one scope'),
  app: AppRef.nullable(),
})

/** The one answer that holds a key. */
export const MintedKey = z.strictObject({ secret: z.string(), key: KeyItem })
