import { z } from 'zod'
import { KeyItem } from '../../../shared/access/key.ts'
import { Role } from '../../../shared/access/role.ts'
import { DeviceRecord, FleetCounts } from '../../../shared/console/command-line.ts'
import { PersonStatus } from '../../../shared/console/people/people.ts'
import { ProvingSettings } from '../../../shared/files/proving.ts'
import { ChannelName, DeviceId, Timestamp, Version } from '../../../shared/names.ts'
import { ListedNode, ReadyAnswer } from '../../../shared/operation/readiness.ts'
import { Freeze } from '../../../shared/plans/freeze.ts'
import { ChannelPolicy, EarlyAccess } from '../../../shared/releases/channel.ts'
import { DraftAnswer } from '../../../shared/releases/draft.ts'
import { DecisionReason, UpdateManifest } from '../../../shared/releases/manifest.ts'
import { Release } from '../../../shared/releases/release.ts'
import { ServiceState, Step } from '../service/definition.ts'

const AppShown = z.strictObject({
  id: z.uuid(),
  ref: z.string(),
  name: z.string(),
  createdAt: Timestamp,
  archived: z.boolean(),
  channels: z.array(ChannelName),
})
export type AppShown = z.infer<typeof AppShown>

const ChannelShown = z.strictObject({
  name: ChannelName,
  policy: ChannelPolicy,
  releases: z.int(),
  createdAt: Timestamp,
})
export type ChannelShown = z.infer<typeof ChannelShown>

export const AppDocument = z.strictObject({ app: AppShown })
export const AppsDocument = z.strictObject({ apps: z.array(AppShown) })
export const ProvingDocument = z.strictObject({ app: z.string(), proving: ProvingSettings })
export const FreezesDocument = z.strictObject({ app: z.string(), freezes: z.array(Freeze) })
export const ChannelDocument = z.strictObject({ app: z.string(), channel: ChannelShown })
export const ChannelsDocument = z.strictObject({ app: z.string(), channels: z.array(ChannelShown) })
export const PolicyDocument = z.strictObject({
  app: z.string(),
  channel: ChannelName,
  policy: ChannelPolicy,
})

export const EarlyAccessDocument = z.strictObject({
  app: z.string(),
  channel: ChannelName,
  earlyAccess: EarlyAccess,
})

export const KeyDocument = z.strictObject({ key: KeyItem })
export const KeysDocument = z.strictObject({ keys: z.array(KeyItem) })
export const MintedKeyDocument = z.strictObject({ secret: z.string(), key: KeyItem })

const PersonShown = z.strictObject({
  id: z.string(),
  name: z.string(),
  role: Role.nullable(),
  appRoles: z.array(z.strictObject({ app: z.string(), role: Role })),
  status: PersonStatus,
  twoFactor: z.boolean(),
  sessions: z.int(),
  createdAt: Timestamp,
  lastSeenAt: Timestamp.nullable(),
})
export type PersonShown = z.infer<typeof PersonShown>

export const PersonDocument = z.strictObject({ person: PersonShown })
export const PeopleDocument = z.strictObject({ people: z.array(PersonShown) })
export const LinkDocument = z.strictObject({
  /** Null if the address of the console is not known; then add `path` to it. */
  url: z.url().nullable(),
  path: z.string(),
  expiresAt: Timestamp,
})
/** `code` opens the console in a new browser of the server's computer; `url` is a link with it. */
export const ConsoleCodeDocument = z.strictObject({ code: z.string(), url: z.url() })
export const EndedSessionsDocument = z.strictObject({ name: z.string(), ended: z.int() })

export const DeviceDocument = z.strictObject({ device: DeviceRecord })
export const ForgottenDocument = z.strictObject({ app: z.string(), deviceId: DeviceId })
export const ExplanationDocument = z.strictObject({
  app: z.string(),
  channel: ChannelName,
  device: z.strictObject({
    /** False if all of its facts are assumed. */
    known: z.boolean(),
    deviceId: DeviceId,
    version: Version,
    platform: z.string(),
    arch: z.string(),
    bundle: z.string(),
    labels: z.record(z.string(), z.string()),
  }),
  reason: DecisionReason,
  update: UpdateManifest.nullable(),
  trace: z.array(z.strictObject({ version: Version, outcome: z.string(), detail: z.string() })),
})
export const PublishedDocument = z.strictObject({
  release: Release,
  /** False if the same release existed before. */
  created: z.boolean(),
})
/** `draft`: with the option `--draft`, unless the version was published before. */
export const PublishedOrDraftDocument = z.union([PublishedDocument, DraftAnswer])
export const FleetDocument = FleetCounts

export const DoctorDocument = z.looseObject({
  ok: z.boolean(),
  file: z.string(),
  findings: z.array(z.strictObject({ level: z.string(), message: z.string() })),
  /** Only with PostgreSQL. */
  nodes: z.array(ListedNode).optional(),
})

export const SupportBundleDocument = z.strictObject({
  file: z.string(),
  bytes: z.int(),
  contents: z.array(z.strictObject({ name: z.string(), contents: z.string() })),
})
export const StatusDocument = ReadyAnswer.extend({ address: z.url() })

export const UpgradeDocument = z.union([
  /** Of `--check`. */
  z.strictObject({
    version: z.string(),
    isReady: z.boolean(),
    file: z.string(),
    from: z.int(),
    to: z.int(),
    copy: z.string().nullable(),
    neededBytes: z.number(),
    freeBytes: z.number().optional(),
    isInUse: z.boolean(),
    holder: z.strictObject({ pid: z.int(), address: z.string().nullable() }).nullable(),
  }),
  /** `copy`: not there if there was nothing to do. */
  z.strictObject({ from: z.int(), to: z.int(), copy: z.string().optional() }),
])

export const ConfigDocument = z.strictObject({
  file: z.strictObject({ path: z.string(), exists: z.boolean() }),
  settings: z.array(
    z.strictObject({
      name: z.string(),
      value: z.unknown(),
      source: z.enum(['option', 'environment', 'file', 'default']),
      /** The option, variable or field that the value comes from; null for the default. */
      givenBy: z.string().nullable(),
    }),
  ),
})
export const ConfigCheckDocument = z.strictObject({
  file: z.string(),
  exists: z.boolean(),
  problems: z.array(z.strictObject({ field: z.string().nullable(), message: z.string() })),
})
export const SchemaDocument = z.looseObject({})

export const MailDocument = z.strictObject({
  to: z.string(),
  /** What the mail server said. */
  response: z.string().nullable(),
})

export const ServiceDocument = z.strictObject({
  state: ServiceState,
  pid: z.int().nullable(),
  /** What the service or its manager says about it. */
  detail: z.string().nullable(),
  dataFolder: z.string(),
  log: z.string(),
})
export const ServiceStepsDocument = z.strictObject({
  /** Whether the steps were carried out, rather than only shown. */
  done: z.boolean(),
  /** What this account, computer and installation lack for them. */
  lacks: z.array(z.string()),
  steps: z.array(Step),
})

export const SessionDocument = z.strictObject({
  server: z.url(),
  name: z.string(),
  expiresAt: Timestamp,
})
export const SignedOutDocument = z.strictObject({ server: z.url() })
export const MeDocument = z.strictObject({
  /** Null for a database of this computer. */
  server: z.url().nullable(),
  name: z.string(),
  kind: z.string(),
  role: Role.nullable(),
  appRoles: z.array(z.strictObject({ app: z.string(), role: Role })),
})
