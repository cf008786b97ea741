import { initTRPC } from '@trpc/server'
import type { ConsoleContext } from './context.ts'

const trpc = initTRPC.context<ConsoleContext>().create()

export const { router, procedure } = trpc
