import type { RequestHandler } from 'express'
import type { Logger } from 'pino'
import { requestIdOf } from './request-id.ts'

/**
 * One line a request, at debug. The path without the query, and no header: keys and labels are
 * never in the log.
 */
export function logRequests(log: Logger): RequestHandler {
  return (request, response, next) => {
    if (log.isLevelEnabled('debug')) {
      const began = performance.now()
      const { method, path } = request
      response.once('close', () => {
        const milliseconds = Math.round((performance.now() - began) * 10) / 10
        const requestId = requestIdOf(response)
        log.debug({ requestId, method, path, status: response.statusCode, milliseconds }, 'request')
      })
    }
    next()
  }
}
