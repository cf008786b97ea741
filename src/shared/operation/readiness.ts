import { z } from 'zod'
import { Timestamp } from '../names.ts'
import { FileIssue } from './storage-problem.ts'

const State = z.enum(['ok', 'failing'])

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

/** Request header of `GET /healthz/ready`: the token in the note that the running server has in its data folder. */
export const STATUS_TOKEN_HEADER = 'x-tidegate-status-token'

/** The answer of `GET /healthz/live`. */
export const LiveAnswer = z
  .strictObject({
    status: z.literal('live'),
    version: z.string().meta({ description: 'Version of Tidegate' }),
    uptimeSeconds: z.int(),
  })
  .meta({ id: 'LiveAnswer' })

/** The answer of `GET /healthz/ready`. */
export const ReadyAnswer = z
  .strictObject({
    status: z.enum(['ready', 'not_ready']),
    version: z.string().meta({ description: 'Version of Tidegate' }),
    uptimeSeconds: z.int(),
    database: z.strictObject({
      state: z.enum(['current', 'stale', 'failing', 'out_of_contact']).meta({
        description:
          '`stale`: there are changes that cannot be loaded; `out_of_contact`: the server has lost contact with its database and serves nothing',
      }),
      file: z.enum(['ok', ...FileIssue.options]),
    }),
    disk: z.strictObject({
      state: z.enum(['ok', 'low', 'unknown']).meta({
        description: '`low`: requests without a key add no data',
      }),
    }),
    telemetry: z.strictObject({ state: State }),
    backups: z.strictObject({ state: State }),
    certificate: z.strictObject({ state: z.enum(['ok', 'expiring', 'expired']) }).nullable(),
    log: z.strictObject({ state: State }),
    details: z
      .strictObject({
        dataFolder: z.string(),
        databaseLocation: z
          .string()
          .meta({ description: 'Path of the database, or its address without user and password' }),
        processId: z.int(),
        nodeVersion: z.string(),
        startedAt: Timestamp,
        catalogRevision: z.int(),
        databaseBytes: z.int().nullable(),
        logBytes: z.int().nullable().meta({ description: 'Size of the write-ahead log' }),
        freeBytes: z.int().nullable(),
        minFreeBytes: z.int().meta({ description: '0 for no minimum' }),
        checkInsQueued: z.int(),
        checkInsLost: z.int(),
        logLinesLost: z.int(),
        backupsAvailable: z
          .boolean()
          .meta({ description: 'False for a database that is backed up with its own tools' }),
        backupFolder: z.string(),
        backupEveryHours: z.int(),
        lastBackupAt: Timestamp.nullable(),
        certificateExpiresAt: Timestamp.nullable(),
        nodes: z
          .array(ListedNode)
          .meta({ description: 'All nodes of the database; only with PostgreSQL' })
          .optional(),
      })
      .optional()
      .meta({
        description:
          'Only with a key for all apps, and for the commands `status` and `support-bundle` on the data folder of the server',
      }),
  })
  .meta({ id: 'ReadyAnswer' })
export type ReadyAnswer = z.infer<typeof ReadyAnswer>
