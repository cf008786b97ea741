import type { Scope } from '../../shared/access/key.ts'
import type { NotStoredReason } from '../fleet/ingest/not-stored.ts'

/** The messages of the HTTP server and its landing page. Refusals are in `src/shared/wording/refusals/refusal.ts`. */
export const text = {
  internalError: 'internal error',
  unknownRoute: (method: string, path: string) => `unknown route ${method} ${path}`,
  required: (member: string) => `${member}: app, channel and version are required`,
  unknownParameter: (name: string, known: readonly string[]) =>
    `${name || 'query'}: is not a known parameter; use ${known.join(', ')}`,

  invalidKey: 'invalid or revoked API key',
  missingKey: 'invalid or revoked API key: send the header "Authorization: Bearer <key>"',
  missingScope: (scope: Scope) => `this key lacks the scope "${scope}"`,
  rateLimit: (perMinute: number, retrySeconds: number) =>
    `rate limit exceeded: at most ${perMinute} requests per minute; try again in ${retrySeconds} s`,

  envelope: { malformed: 'body: is not an envelope of Sentry' },
  body: {
    tooLarge: (limit: string) => `body: must be at most ${limit}`,
    incomplete: 'body: is incomplete',
    unreadable: (reason: string) => `body: cannot be read (${reason})`,
    notUtf8: 'body: is not valid UTF-8',
    notJson: (reason: string) => `body: is not valid JSON (${reason})`,
    tooDeep: 'body: is nested too deeply',
    charset: 'Content-Type: the charset must be utf-8',
    encoding: (known: readonly string[]) =>
      `Content-Encoding: must be one of identity, ${known.join(', ')}`,
    loneSurrogate: (path: string) => `${path}: contains an unpaired surrogate`,
    loneSurrogateInName: (path: string) =>
      `${path}: contains an unpaired surrogate in a member name`,
  },

  request: {
    invalid: (reason: string) => `request: ${reason}`,
    late: 'request: timed out; send it again',
    largeHead: 'request: the request line and header fields are too large',
    manyFields: (maximum: number) => `has more than ${maximum} header fields`,
    manyHosts: 'has more than one Host header',
    noHost: 'the Host header is required',
    noPath: 'request: the target must be a path',
    notHttp: 'request: is not a valid HTTP request',
    path: 'is not percent-encoded UTF-8',
    device: 'is required',
  },

  feeds: {
    electronName: (name: string, channel: string) =>
      `unknown feed "${name}": use latest.yml, latest-mac.yml, latest-linux.yml or latest-linux-<arch>.yml, or the same with ${channel} in place of latest`,
    electronQuery: (version: string) =>
      `query: electron-updater replaces the query of file addresses by that of the feed URL, and files of ${version} have one; use a feed URL without a query`,
    nothing: ({ app, channel }: { readonly app: string; readonly channel: string }) =>
      `no release of ${app}/${channel} for this device`,
  },

  outOfContact: 'this server has lost contact with its database; try again in a few seconds',
  unavailable: 'the database cannot be written right now; try again in a few seconds',
  previewsBusy: 'too many of your checks wait for their turn; try again in a few seconds',
  notStored: {
    behind: 'not stored: too many check-ins are waiting to be stored',
    channel_removed: 'not stored: the channel is being removed',
    too_many_profiles: 'not stored: too many combinations of version and platform',
    unwritable: 'not stored: the database cannot be written right now',
  } satisfies Readonly<Record<NotStoredReason, string>>,

  console: {
    /** `reason`: why not; null if it was. */
    confirmation: (reason: string | null) =>
      reason === null
        ? {
            title: 'Identity confirmed',
            message: 'Close this tab and return to the console, which continues by itself.',
          }
        : {
            title: 'Identity not confirmed',
            message: `Close this tab and try again in the console: ${reason}.`,
          },
    signOnLater: {
      title: 'You are not signed in',
      outOfContact: 'The server has lost contact with its database. Try again in a few seconds.',
      limited: (retrySeconds: number) =>
        `There were too many sign-ins from your network. Try again in ${retrySeconds} s.`,
      again: 'Try again',
    },
    needsTls:
      'the console is offered over TLS only; start the server with a certificate, or open it on the server itself',
    unknownHost: (host: string) =>
      `the console does not answer under the name "${host}"; start the server with --console-host and that name`,
    proxyHost: (host: string) =>
      `the proxy asks for "${host}" in place of the name in the browser; let it pass the Host of the request on, as docs/operate.md shows`,
    proxyProtocol:
      'the proxy does not say whether the browser uses HTTPS; let it set X-Forwarded-Proto, as docs/operate.md shows',
    otherOrigin: 'this request does not come from the page of the console',
    programsOnly: 'this address is for the command line, not for browsers',
    noHeader: 'this request does not come from the page of the console: a header is missing',
    noDownload: 'this link to a backup is no longer valid; download the backup again',
    notBuilt:
      'The console is being built. This takes a few seconds after the first start; this page then opens it.',
  },

  files: {
    unknown: 'unknown file',
    unavailable: 'this file cannot be downloaded at the moment; try again later',
    range: (bytes: number) => `Range: the file has ${bytes} bytes`,
    busy: (retrySeconds: number) => `too many downloads; try again in ${retrySeconds} s`,
  },

  landing: {
    title: 'Tidegate update server',
    lead: 'This server answers the update checks of apps. It is running, and there is nothing to sign in to.',
    version: (version: string) => `Version ${version}`,
    forApps: 'For apps and websites',
    check: 'Update check',
    feed: 'Release feed',
    forDevelopers: 'For developers and operators',
    api: 'API description',
    apiHint: 'All operations, as OpenAPI 3.1',
    health: 'Health',
    healthHint: 'State of the server and its database',
    documentation: 'The documentation is included with Tidegate: see README.md and docs/api.md.',
  },
} as const
