import { open } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { type Request, type RequestHandler, type Response, Router } from 'express'
import { UploadDetails } from '../../shared/console/settings/backups.ts'
import { PiecePlace } from '../../shared/console/uploads.ts'
import { Refusal } from '../catalog/errors.ts'
import { toCallError } from '../console/router.ts'
import { refusing } from '../console/settings/backups.ts'
import { HttpError, parseInput, toHttpError } from '../http/answer/errors.ts'
import { createUploads } from '../http/files/uploads.ts'
import { keepOpen } from '../http/listener/closing.ts'
import { allowLong } from '../http/listener/raw-answer.ts'
import { text } from '../http/strings.ts'
import { callerOf, reached, requireOwnPage, sessionOf, type WebConsoleParts } from './caller.ts'
import { principalOf } from './principal.ts'

/** Creates the routes for backups and for uploads of built files: by the tus protocol, and for the desktop app in pieces. */
export function createFiles(parts: WebConsoleParts): RequestHandler {
  const routes = Router()
  const take = (
    name: string,
    receive: (request: Request, response: Response, parts: WebConsoleParts) => Promise<unknown>,
  ) => {
    routes.put(`/uploads/${name}`, async (request, response) => {
      requireOwnPage(request, reached(request, parts))
      response.set('Cache-Control', 'no-store')
      const endLong = allowLong(request)
      try {
        const answer = await receive(request, response, parts)
        keepOpen(response)
        response.json(answer)
      } catch (error) {
        // Whoever has gone gets no answer.
        if (request.destroyed && !request.complete) return
        refuse(error, response, { path: `uploads.${name}`, parts })
      } finally {
        endLong()
      }
    })
  }
  take('backup', receiveBackup)
  take('piece', receivePiece)
  const uploads = createUploads({
    get updates() {
      return parts.console().updates
    },
    failures: parts.api.failures,
    principalOf: (request) => principalOf(requireSession(request, parts), callerOf(request, parts)),
  })
  const ownPage: RequestHandler = (request, _response, next) => {
    requireOwnPage(request, reached(request, parts))
    next()
  }
  routes.use('/artifacts/uploads', ownPage, uploads)
  routes.get('/downloads/:ticket', (request, response) => send(request, response, parts))
  return routes
}

async function receiveBackup(request: Request, response: Response, parts: WebConsoleParts) {
  const principal = principalOf(requireSession(request, parts), callerOf(request, parts))
  const { uploads } = parts.console().updates.administerBackups(principal)
  const details = parseInput(UploadDetails, request.query)
  const { 'content-length': length } = request.headers
  askForBody(request, response)
  return await refusing(details.name, uploads.receive(request, details, Number(length ?? 0)))
}

async function receivePiece(request: Request, response: Response, parts: WebConsoleParts) {
  const principal = principalOf(requireSession(request, parts), callerOf(request, parts))
  const place = parseInput(PiecePlace, request.query)
  askForBody(request, response)
  // What is refused is answered, so the request goes on.
  const piece = request.iterator({ destroyOnReturn: false })
  return await parts.console().updates.appendPiece(principal, place, piece)
}

function askForBody({ headers }: Request, response: Response): void {
  if (headers.expect?.toLowerCase() === '100-continue') response.writeContinue()
}

/** Answers with what the page shows: see `CallError`. */
function refuse(
  error: unknown,
  response: Response,
  { path, parts }: { readonly path: string; readonly parts: WebConsoleParts },
): void {
  const callError = toCallError(error, { path, input: undefined })
  if (callError.code === 'internal') parts.api.failures.error(error, 'upload failed')
  response.status(toHttpError(error).status).json({ callError })
}

async function send(request: Request, response: Response, parts: WebConsoleParts): Promise<void> {
  const session = requireSession(request, parts)
  const principal = principalOf(session, callerOf(request, parts))
  const { updates } = parts.console()
  const { downloads } = updates.administerBackups(principal)
  const copy = downloads.take(String(request.params.ticket), session.id)
  const file = copy && (await open(copy.file).catch(() => undefined))
  if (copy === undefined || file === undefined) throw new HttpError(404, text.console.noDownload)
  try {
    const { size } = await file.stat()
    await updates.recordBackupDownload(principal, { name: copy.name, bytes: size })
    response.set({
      'Cache-Control': 'no-store',
      'Content-Type': 'application/vnd.sqlite3',
      'Content-Length': String(size),
      'Content-Disposition': `attachment; filename="${copy.name}"`,
    })
    const content = file.createReadStream({ start: 0, end: size - 1, autoClose: false })
    await pipeline(content, response)
  } catch (error) {
    if (!response.destroyed) throw error
  } finally {
    await file.close()
  }
}

function requireSession(request: IncomingMessage, parts: WebConsoleParts) {
  parts.api.contact.require()
  const session = sessionOf(request, reached(request, parts), parts)
  if (session === undefined) throw new Refusal({ code: 'sign_in_needed' })
  return session
}
