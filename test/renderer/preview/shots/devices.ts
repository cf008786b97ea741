import { WANDERER } from '../seed.ts'
import { click, type Shot } from './shot.ts'

/** Devices. */
export const DEVICES: readonly Shot[] = [
  { name: 'devices', path: '/devices?app=editor' },
  { name: 'devices-label', path: '/devices?app=editor&search=ring%3Dearly&sort=version' },
  { name: 'devices-none', path: '/devices?app=editor&search=nobody' },
  { name: 'devices-silent', path: '/devices?app=viewer' },
  { name: 'device', path: `/devices/editor/${WANDERER}` },
  {
    name: 'device-forget',
    path: `/devices/editor/${WANDERER}`,
    prepare: (page) => click(page, 'Forget device'),
  },
  { name: 'device-rolled-back', path: '/devices/editor/stable-2.1.0-1' },
  { name: 'device-untargeted', path: '/devices/editor/beta-2.4.0-beta.1-1' },
]
