import { sha512 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { messageOf } from '../../../shared/basics/message-of.ts'
import type { HashMessage } from './use-hashing.ts'

const SLICE = 4 * 1024 * 1024

/** Hashes the one file that it is sent, slice by slice, so that its size does not matter. */
self.onmessage = async ({ data }: MessageEvent<File>) => {
  try {
    const hash = sha512.create()
    for (let done = 0; done < data.size; done += SLICE) {
      hash.update(new Uint8Array(await data.slice(done, done + SLICE).arrayBuffer()))
      answer({ type: 'progress', done: Math.min(done + SLICE, data.size) })
    }
    answer({ type: 'done', sha512: bytesToHex(hash.digest()) })
  } catch (error) {
    answer({ type: 'failed', reason: messageOf(error) })
  }
}

function answer(message: HashMessage): void {
  self.postMessage(message)
}
