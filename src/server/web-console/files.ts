import { open } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { type Request, type RequestHandler, type Response, Router } from 'express'
import { UploadDetails } from '../../shared/console/backups.ts'
import { Refusal } from '../catalog/errors.ts'
import { toCallError } from '../console/router.ts'
import { refusing } from '../console/settings/refusing.ts'
import { HttpError, parseInput, toHttpError } from '../http/answer/errors.ts'
import { keepOpen } from '../http/listener/closing.ts'
import { text } from '../http/strings.ts'
import type { BackupWork } from '../updates/administer-backups.ts'
import { callerOf, reached, requireOwnPage, sessionOf } from './caller.ts'
import type { WebConsoleParts } from './parts.ts'
import { principalOf } from './principal.ts'

/** What comes and goes as a file, and not as a call. */
export interface Files {
  readonly routes: RequestHandler
  /** Whether a request may take as long as it goes on. */
  mayTakeLong(socket: unknown): boolean
}

/** Creates the routes for uploads and downloads of backups. */
export function createFiles(parts: WebConsoleParts): Files {
  const uploading = new WeakSet<object>()
  const routes = Router()
  routes.put('/uploads/backup', async (request, response) => {
    requireOwnPage(request, reached(request, parts))
    response.set('Cache-Control', 'no-store')
    uploading.add(request.socket)
    try {
      await receive(request, response, parts)
    } catch (error) {
      // Whoever has gone gets no answer.
      if (request.destroyed && !request.complete) return
      refuse(error, response, parts)
    } finally {
      uploading.delete(request.socket)
    }
  })
  routes.get('/downloads/:ticket', (request, response) => send(request, response, parts))
  return { routes, mayTakeLong: (socket) => uploading.has(Object(socket)) }
}

async function receive(request: Request, response: Response, parts: WebConsoleParts) {
  const { uploads } = workOf(request, parts)
  const details = parseInput(UploadDetails, request.query)
  const { 'content-length': length, expect } = request.headers
  if (expect?.toLowerCase() === '100-continue') response.writeContinue()
  const receiving = uploads.receive(request, details, Number(length ?? 0))
  const uploaded = await refusing(details.name, receiving)
  keepOpen(response)
  response.json(uploaded)
}

/** Answers with what the page shows: see `CallError`. */
function refuse(error: unknown, response: Response, { api }: WebConsoleParts): void {
  const callError = toCallError(error, { path: 'uploads.backup', input: undefined })
  if (callError.code === 'internal') api.failures.error(error, 'upload failed')
  response.status(toHttpError(error).status).json({ callError })
}

async function send(request: Request, response: Response, parts: WebConsoleParts): Promise<void> {
  const { downloads } = workOf(request, parts)
  const session = requireSession(request, parts)
  const copy = downloads.take(String(request.params.ticket), session.id)
  const file = copy && (await open(copy.file).catch(() => undefined))
  if (copy === undefined || file === undefined) throw new HttpError(404, text.console.noDownload)
  const { size } = await file.stat()
  response.set({
    'Cache-Control': 'no-store',
    'Content-Type': 'application/vnd.sqlite3',
    'Content-Length': String(size),
    'Content-Disposition': `attachment; filename="${copy.name}"`,
  })
  try {
    await pipeline(file.createReadStream({ start: 0, end: size - 1 }), response)
  } catch (error) {
    if (!response.destroyed) throw error
  }
}

function workOf(request: IncomingMessage, parts: WebConsoleParts): BackupWork {
  const session = requireSession(request, parts)
  const principal = principalOf(session, callerOf(request, parts))
  return parts.console().updates.administerBackups(principal)
}

function requireSession(request: IncomingMessage, parts: WebConsoleParts) {
  const session = sessionOf(request, reached(request, parts), parts)
  if (session === undefined) throw new Refusal({ code: 'sign_in_needed' })
  return session
}
