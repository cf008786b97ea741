import { z } from 'zod'
import { KeyItem, Scope } from '../access/key.ts'
import { ChangeId, HistoryEntry } from '../events/audit.ts'
import { ProvingSettings } from '../files/proving.ts'
import { SnippetId } from '../files/updater.ts'
import { AppRef, AppRefOrId, ChannelName, DisplayName, Timestamp } from '../names.ts'
import { Freeze } from '../plans/freeze.ts'
import { ChannelPolicy } from '../releases/channel.ts'

export const AppDetail = z.strictObject({
  ref: AppRef,
  id: z.uuid(),
  name: z.string(),
  createdAt: Timestamp,
  /** An archived app is not served, and can be deleted. */
  archived: z.boolean(),
  /** What its artifacts are proven against. */
  proving: ProvingSettings,
  /** Days on which none of its plans applies a step. */
  freezes: z.array(Freeze),
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

/** An app to choose, with the names of its channels: what no device changes. */
export const AppName = z.strictObject({
  ref: AppRef,
  name: z.string(),
  archived: z.boolean(),
  /** Whether artifacts can be proven: some host is allowed. */
  provable: z.boolean(),
  channels: z.array(ChannelName),
})
export type AppName = z.infer<typeof AppName>

/** A channel's policy to edit. */
export const PolicyDetail = z.strictObject({
  policy: ChannelPolicy,
  /** The revision of the policy, never newer than `policy`: send it back as `seenChange`. */
  lastChange: ChangeId,
  /** The latest 20, newest first. */
  history: z.array(HistoryEntry),
})

/** Code that connects an app to this server, for each address of the server. */
export const ConnectSnippets = z.strictObject({
  addresses: z.array(z.strictObject({ url: z.url(), reach: z.enum(['this_machine', 'network']) })),
  snippets: z.array(
    z.strictObject({
      /** Base address that the code uses. */
      address: z.url(),
      id: SnippetId,
      text: z.string(),
    }),
  ),
})
export type ConnectSnippets = z.infer<typeof ConnectSnippets>

export const MintInput = z.strictObject({
  name: DisplayName,
  scopes: z.array(Scope).min(1, 'choose at least one scope'),
  app: AppRefOrId.nullable(),
  /** Whether the key may make changes that require approval. */
  bypassApproval: z.boolean().default(false),
})

/** The one answer that holds a key. */
export const MintedKey = z.strictObject({ secret: z.string(), key: KeyItem })
