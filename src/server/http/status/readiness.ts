import type { RequestHandler } from 'express'
import { expiryOf } from '../../../shared/operation/certificate.ts'
import type { ReadyAnswer } from '../../../shared/operation/readiness.ts'
import { isBackupFailing, isReady } from '../../monitoring/judgement.ts'
import type { ServerFacts } from '../../monitoring/monitor.ts'
import { listedNode } from '../../runtime/cluster/nodes.ts'
import type { ApiContext } from '../context.ts'
import { hasStatusToken, keyOf, requireKey } from '../request/auth.ts'

/** `GET /healthz/live`: 200 as long as the process answers at all. */
export function live({ monitor, version }: ApiContext): RequestHandler {
  return (_request, response) => {
    const { uptimeSeconds } = monitor
    response.set('Cache-Control', 'no-store').json({ status: 'live', version, uptimeSeconds })
  }
}

/** Checks the key of a request that has one, which `readiness` does not need. */
export function checkGivenKey(context: ApiContext): RequestHandler {
  const check = requireKey(context, 'read')
  return (request, response, next) => {
    if (request.headers.authorization === undefined) next()
    else return check(request, response, next)
  }
}

/**
 * `GET /healthz/ready`: 200 while update checks are answered with a current catalog, else 503. Not rate limited:
 * whatever it reads is read at most once per second, however many ask. Details need a key or the status token: behind a
 * proxy on the same computer, the address of every stranger is one of this computer.
 */
export function readiness(context: ApiContext): RequestHandler {
  const { monitor } = context
  return async (request, response) => {
    const facts = await monitor.read()
    const mayKnow = hasStatusToken(request, context) || keyOf(request)?.appKey === null
    const answer = { ...answerOf(context, facts), ...(mayKnow && detailsOf(context, facts)) }
    response
      .set('Cache-Control', 'no-store')
      .status(isReady(facts) ? 200 : 503)
      .json(answer)
  }
}

function answerOf({ monitor, version }: ApiContext, facts: ServerFacts): ReadyAnswer {
  const { database, trouble, space, telemetry, backups, certificate, log } = facts
  const free = space?.freeBytes
  return {
    status: isReady(facts) ? 'ready' : 'not_ready',
    version,
    uptimeSeconds: monitor.uptimeSeconds,
    database: { state: database, file: trouble?.issue ?? 'ok' },
    disk: { state: free === undefined ? 'unknown' : free < monitor.minFreeBytes ? 'low' : 'ok' },
    telemetry: stateOf(telemetry.failure !== null),
    backups: stateOf(isBackupFailing(backups)),
    certificate: certificate && { state: expiryOf(certificate.expiresAt, Date.now()) },
    log: stateOf(log.failure !== null),
  }
}

function stateOf(isFailing: boolean) {
  return { state: isFailing ? 'failing' : 'ok' } as const
}

function detailsOf(
  { monitor, nodes }: ApiContext,
  facts: ServerFacts,
): Pick<ReadyAnswer, 'details'> {
  const { space, telemetry, backups, certificate, log, revision, startedAt } = facts
  return {
    details: {
      dataFolder: monitor.dataFolder,
      databaseLocation: monitor.databaseLocation,
      processId: process.pid,
      nodeVersion: process.version,
      startedAt: new Date(startedAt).toISOString(),
      catalogRevision: revision,
      databaseBytes: space?.databaseBytes ?? null,
      logBytes: space?.logBytes ?? null,
      freeBytes: space?.freeBytes ?? null,
      minFreeBytes: monitor.minFreeBytes,
      checkInsQueued: telemetry.queued,
      checkInsLost: telemetry.lost,
      logLinesLost: log.lost,
      backupsAvailable: backups.available,
      backupFolder: backups.folder,
      backupEveryHours: backups.everyHours,
      lastBackupAt: backups.lastSuccessAt,
      certificateExpiresAt: certificate?.expiresAt ?? null,
      nodes: nodes?.list().nodes.map(listedNode),
    },
  }
}
