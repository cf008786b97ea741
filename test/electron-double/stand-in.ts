import { EventEmitter } from 'node:events'

// Promises, serializers and inspectors read these from any object. They are undefined.
const asked = new Set(['then', 'toJSON', 'asymmetricMatch', 'nodeType', '$$typeof'])

function refuse(owner: string, key: string): never {
  throw new Error(`The Electron double has no ${owner}.${key}: add it in test/electron-double`)
}

/**
 * Base of every class of the double. Reading a member that the double does not implement throws an error that
 * names it, so that an app never continues with `undefined`.
 */
export class StandIn extends EventEmitter {}

Object.setPrototypeOf(
  StandIn.prototype,
  new Proxy(EventEmitter.prototype, {
    get(target, key, receiver) {
      if (typeof key === 'symbol' || key in target || asked.has(key)) {
        return Reflect.get(target, key, receiver)
      }
      return refuse(receiver.constructor.name, key)
    },
  }),
)

/** The same for a module of plain functions. Specs may replace its members. */
export function standIn<T extends object>(name: string, members: T): T {
  return new Proxy(members, {
    get(target, key, receiver) {
      if (typeof key === 'symbol' || key in target || asked.has(key)) {
        return Reflect.get(target, key, receiver)
      }
      return refuse(name, key)
    },
  })
}

export interface PreventableEvent {
  defaultPrevented: boolean
  preventDefault(): void
}

/** An event whose listeners can prevent what would follow. */
export function preventable<T extends object>(details: T): T & PreventableEvent {
  return {
    ...details,
    defaultPrevented: false,
    preventDefault() {
      this.defaultPrevented = true
    },
  }
}
