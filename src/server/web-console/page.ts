import { hash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { type RequestHandler, Router } from 'express'
import expressStaticGzip from 'express-static-gzip'
import { pagePolicy } from '../../shared/console/bridge/web.ts'
import { text } from '../http/strings.ts'
import { reached, type WebConsoleParts } from './caller.ts'
import { sessionToken } from './cookies.ts'

/** Seconds that a browser keeps a file whose name changes with its content. */
const A_YEAR = 31_536_000

/** The policy of the desktop app's page, which may connect to nothing but here, and the manifest of a web app. */
const CONTENT_SECURITY_POLICY = pagePolicy("connect-src 'self'", "manifest-src 'self'")

/** What browsers read of a page, and of a worker, which has a policy of its own. */
const PAGE_HEADERS = {
  'Content-Security-Policy': CONTENT_SECURITY_POLICY,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'X-Frame-Options': 'DENY',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
}

const HEADERS = {
  ...PAGE_HEADERS,
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
}

/** Loads the page anew. A `Refresh` field would do nothing under an address with a fragment, such as that of a link. */
const LOOK_AGAIN = 'setTimeout(() => location.reload(), 3000)'

const NOT_BUILT = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Tidegate</title>
<p>${text.console.notBuilt}</p>
<script>${LOOK_AGAIN}</script></html>
`

const NOT_BUILT_POLICY = [
  "default-src 'none'",
  `script-src 'sha256-${hash('sha256', LOOK_AGAIN, 'base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Serves the files of the page; until they are built, a page that says so and looks again. */
export function createPage(parts: WebConsoleParts): RequestHandler {
  const folder = parts.config.pageFolder
  const routes = Router({ strict: true })
  let files: RequestHandler | undefined
  routes.use((request, response, next) => {
    const { secure } = reached(request, parts)
    response.set(HEADERS)
    if (secure) response.set('Strict-Transport-Security', `max-age=${A_YEAR}`)
    next()
  })
  routes.get('/', (request, response, next) => {
    response.set('Cache-Control', 'no-cache')
    if (existsSync(join(folder, 'index.html'))) {
      const token = sessionToken(request, reached(request, parts))
      const links = token === undefined ? '' : linksOf(folder)
      if (links !== '') response.set('Link', links)
      return next()
    }
    files = undefined
    response
      .status(503)
      .set({ 'Retry-After': '3', 'Content-Security-Policy': NOT_BUILT_POLICY })
      .type('html')
      .send(NOT_BUILT)
  })
  routes.use((request, response, next) => {
    // It looks once which files there are compressed.
    files ??= pageFiles(folder)
    files(request, response, next)
  })
  return routes
}

/** What has a browser load, while it reads the page, the files that only those need who are signed in; empty for none. */
function linksOf(folder: string): string {
  const list = join(folder, 'early.txt')
  const files = existsSync(list) ? readFileSync(list, 'utf8').split('\n') : []
  const how = (file: string) =>
    file.endsWith('.css') ? 'rel=preload; as=style; crossorigin' : 'rel=modulepreload'
  return files.map((file) => `<./${file}>; ${how(file)}`).join(', ')
}

/** Serves the files of a folder that is built, compressed as the build has them. */
function pageFiles(folder: string): RequestHandler {
  return expressStaticGzip(folder, {
    enableBrotli: true,
    orderPreference: ['br', 'gzip'],
    serveStatic: {
      setHeaders(response, path) {
        const isHashed = relative(folder, path).startsWith(`assets${sep}`)
        response.setHeader(
          'Cache-Control',
          isHashed ? `public, max-age=${A_YEAR}, immutable` : 'no-cache',
        )
        // Half a kilobyte for each of 60 files.
        const isPart = isHashed && !path.includes('worker')
        for (const name of isPart ? Object.keys(PAGE_HEADERS) : []) response.removeHeader(name)
      },
      dotfiles: 'deny',
      redirect: false,
    },
  })
}
