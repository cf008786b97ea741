import { json } from 'express'

/** Largest body, in bytes. */
const MAX_BODY = 2 * 1024 * 1024

/** Reads a JSON body, whatever content type the caller names: `curl -d` names a wrong one. */
export const jsonBody = json({ limit: MAX_BODY, strict: false, type: () => true })
