/** A table as it is moved: the same rows and columns on both sides, whatever each makes of them. */
export interface MovedTable {
  readonly name: string
  /** `plain`: both engines have the same columns. `state`: the same, and exactly one row. `fleet`: each has its own. */
  readonly kind: 'plain' | 'state' | 'fleet'
  readonly columns: readonly string[]
  /** Columns that make a row unique, in the order of SQLite. */
  readonly key: readonly string[]
  /** Rows of a batch. */
  readonly batch: number
  /** Columns with ids of check-ins, which have their day on one side only. */
  readonly checkIns: readonly string[]
  /** Columns that one side derives from the others, and that no comparison looks at. */
  readonly derived: readonly string[]
}

/** Rows of a batch: of tables with texts up to a megabyte, of others that people fill, and of the fleet. */
const [LARGE, MEDIUM, SMALL] = [20, 500, 5_000]

/** Tables that refer to others come after them. The number is that of the rows of a batch. */
const PLAIN = [
  ['apps', MEDIUM],
  ['channels', MEDIUM],
  ['releases', LARGE],
  ['artifacts', MEDIUM],
  ['api_keys', MEDIUM],
  ['audit', MEDIUM],
  ['change_requests', LARGE],
  ['drafts', LARGE],
  ['proofs', MEDIUM],
  ['plans', MEDIUM],
  ['release_sessions', SMALL],
  ['session_devices', SMALL],
  ['erasures', MEDIUM],
  ['accounts', MEDIUM],
  ['account_app_roles', MEDIUM],
  ['sessions', MEDIUM],
  ['account_links', MEDIUM],
  ['passkeys', MEDIUM],
  ['totp_secrets', MEDIUM],
  ['recovery_codes', MEDIUM],
  ['account_identities', MEDIUM],
  ['notification_choices', MEDIUM],
  ['push_subscriptions', MEDIUM],
  ['webhooks', MEDIUM],
  ['deliveries', MEDIUM],
  ['profiles', SMALL],
  ['offered_releases', SMALL],
  ['health_samples', SMALL],
] as const

/** Tables with exactly one row. */
export const STATE_TABLES = ['catalog_state', 'people_state', 'outbox_state'] as const

type FleetTable = Pick<MovedTable, 'name' | 'columns' | 'key'> &
  Partial<Pick<MovedTable, 'batch' | 'checkIns' | 'derived'>>

const FLEET: readonly FleetTable[] = [
  {
    name: 'devices',
    columns: [
      ...['id', 'app_key', 'device_id', 'labels', 'first_seen', 'keyed'],
      ...['profile', 'last_seen', 'last_check_in', 'last_change', 'episode', 'offered_at'],
      'evidence',
    ],
    key: ['id'],
    batch: 2_000,
    checkIns: ['last_check_in', 'last_change'],
  },
  {
    name: 'check_ins',
    columns: ['id', 'device', 'at', 'profile', 'kind', 'previous'],
    key: ['id'],
    checkIns: ['id', 'previous'],
  },
  {
    name: 'profile_changes',
    columns: ['id', 'device', 'at', 'profile', 'previous'],
    key: ['id'],
    checkIns: ['id', 'previous'],
    derived: ['previous'],
  },
  { name: 'adoption', columns: ['profile', 'day', 'devices'], key: ['profile', 'day'] },
  { name: 'hourly_adoption', columns: ['profile', 'hour', 'devices'], key: ['profile', 'hour'] },
  { name: 'presence', columns: ['profile', 'day', 'devices'], key: ['profile', 'day'] },
  {
    name: 'traffic',
    columns: ['channel_key', 'hour', 'check_ins', 'anonymous', 'offers'],
    key: ['channel_key', 'hour'],
  },
  { name: 'release_counts', columns: ['release', 'cell', 'devices'], key: ['release', 'cell'] },
  {
    name: 'outcome_details',
    columns: ['release', 'check_in', 'device', 'at', 'detail'],
    key: ['release', 'check_in'],
    batch: MEDIUM,
    checkIns: ['check_in'],
  },
  {
    name: 'set_aside',
    columns: ['id', 'at', 'batch', 'statement', 'row', 'reason'],
    key: ['id'],
    batch: 50,
  },
]

/** The other tables that are moved. */
export const MOVED_TABLES: readonly string[] = [
  ...PLAIN.map(([name]) => name),
  ...FLEET.map(({ name }) => name),
]

/** What a move does not copy, because it is made anew, or belongs to what is not there: see `GivenOut`. */
export const NOT_MOVED = {
  sqlite: ['device_states', 'freed_devices', 'telemetry_state', 'sqlite_sequence'],
  postgres: [
    ...['nodes', 'leases', 'leaders', 'leader_facts', 'tidegate_schema', 'device_labels'],
    ...['closing_channels', 'rate_limits'],
    ...['sign_in_entries', 'sign_in_attempts', 'sign_in_key'],
    ...['stored_files', 'uploads', 'upload_pieces', 'files_place'],
  ],
} as const

/** Returns the tables in the order in which they are copied. `describe`: the columns and the key of a table in SQLite. */
export function movedTables(
  describe: (table: string) => Pick<MovedTable, 'columns' | 'key'>,
): MovedTable[] {
  const none = { checkIns: [], derived: [] }
  return [
    ...PLAIN.map(([name, batch]) => {
      return { name, kind: 'plain' as const, batch, ...describe(name), ...none }
    }),
    ...FLEET.map((table) => ({ kind: 'fleet' as const, batch: SMALL, ...none, ...table })),
    ...STATE_TABLES.map((name) => {
      return { name, kind: 'state' as const, batch: 1, ...describe(name), ...none }
    }),
  ]
}
