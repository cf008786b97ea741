import { FLEET_OPERATIONS } from './openapi-fleet.ts'
import type { Operation } from './openapi-operation.ts'
import { PUBLIC_OPERATIONS } from './openapi-public.ts'
import { RELEASE_OPERATIONS } from './openapi-releases.ts'

/** Every operation of the public API. */
export const OPERATIONS: readonly Operation[] = [
  ...RELEASE_OPERATIONS,
  ...FLEET_OPERATIONS,
  ...PUBLIC_OPERATIONS,
]
