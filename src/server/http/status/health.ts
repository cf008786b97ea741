import type { RequestHandler } from 'express'
import { z } from 'zod'
import { Timestamp } from '../../../shared/names.ts'
import { UsedBudget } from '../../../shared/operation/budgets.ts'
import { expiryOf } from '../../../shared/operation/certificate.ts'
import { FileIssue } from '../../../shared/operation/storage-problem.ts'
import type { Nodes } from '../../runtime/cluster/nodes.ts'
import type { ApiContext } from '../context.ts'

export const HealthAnswer = z
  .strictObject({
    status: z.enum(['ok', 'failing']),
    version: z.string().meta({ description: 'Version of Tidegate' }),
    database: z.strictObject({
      state: z.enum(['ok', 'failing', 'out_of_contact']),
      revision: z
        .int()
        .meta({ description: 'Increases with every change of apps, channels, releases and keys' })
        .nullable(),
      file: z.enum(['ok', ...FileIssue.options]).meta({
        description: 'What happened to the file after the server opened it',
      }),
    }),
    certificate: z
      .strictObject({
        state: z.enum(['ok', 'expiring', 'expired']),
        expiresAt: Timestamp,
        reload: z.enum(['ok', 'failing']).meta({
          description: 'Whether the current certificate files can be used',
        }),
      })
      .nullable()
      .meta({ description: 'The TLS certificate of this server, null without TLS' }),
    telemetry: z.strictObject({
      state: z.enum(['ok', 'failing']),
      queued: z.int().meta({ description: 'Check-ins waiting to be written' }),
      lost: z.int().meta({
        description:
          'Check-ins lost since the database was created, with PostgreSQL by this node since it started',
      }),
    }),
    log: z.strictObject({
      state: z.enum(['ok', 'failing']),
      lost: z.int().meta({ description: 'Log lines lost since the process started' }),
    }),
    node: z
      .strictObject({
        name: z.string(),
        lease: z.enum(['ok', 'ended']).meta({
          description: 'Whether the node may serve: without a lease, update checks get 204',
        }),
        changesBehind: z
          .int()
          .meta({ description: 'Changes of releases and people that it does not serve yet' }),
        nodes: z.int().meta({ description: 'Nodes that serve, this one included' }),
      })
      .meta({ description: 'This node; only with PostgreSQL' })
      .optional(),
    budgets: z.array(UsedBudget).meta({
      description: 'Limits for requests without a key that were reached in the last hour',
    }),
  })
  .meta({ id: 'HealthAnswer' })

/** `GET /healthz`: 200 while the database answers, its files are there and the lease holds, else 503. No rate limit, cached a second. */
export function health({
  catalog,
  telemetry: written,
  databaseTrouble,
  certificate,
  logHealth,
  version,
  monitor,
  nodes,
}: ApiContext): RequestHandler {
  return async (_request, response) => {
    const answered = await monitor.database()
    const answers = answered === 'current' || answered === 'stale'
    const revision = answers ? catalog.snapshot.revision : null
    const file = databaseTrouble()?.issue ?? 'ok'
    const node = nodes && showNode(nodes)
    const isFailing = revision === null || file !== 'ok' || node?.lease === 'ended'
    const databaseState = revision === null || file !== 'ok' ? 'failing' : 'ok'
    const isOut = answered === 'out_of_contact'
    const database = { state: isOut ? answered : databaseState, revision, file } as const
    const state = isFailing ? 'failing' : 'ok'
    const { queued, lost, failure, budgets } = written.health
    const telemetry = { state: failure === null ? 'ok' : 'failing', queued, lost } as const
    const logged = logHealth()
    const log = { state: logged.failure === null ? 'ok' : 'failing', lost: logged.lost } as const
    const parts = {
      database,
      certificate: showCertificate(certificate()),
      telemetry,
      log,
      node,
      budgets,
    }
    const answer = { status: state, version, ...parts } as const
    response
      .set('Cache-Control', 'no-store')
      .status(isFailing ? 503 : 200)
      .json(answer)
  }
}

function showNode(nodes: Nodes) {
  const { catalog = 0, people = 0 } = nodes.list().nodes.find(({ own }) => own)?.behind ?? {}
  return {
    name: nodes.name,
    lease: nodes.leaseLeft > 0 ? 'ok' : 'ended',
    changesBehind: catalog + people,
    nodes: nodes.count,
  } as const
}

function showCertificate(certificate: ReturnType<ApiContext['certificate']>) {
  if (certificate === null) return null
  const { expiresAt, refused } = certificate
  const state = expiryOf(expiresAt, Date.now())
  return { state, expiresAt, reload: refused === null ? 'ok' : 'failing' } as const
}
