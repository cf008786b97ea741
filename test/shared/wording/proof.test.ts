import { expect, test } from 'vitest'
import { ProofFailure } from '../../../src/shared/files/proof.ts'
import { proofFailureSentence } from '../../../src/shared/wording/proof.ts'

test.each([
  [{ code: 'host_not_allowed', host: 'files.example:81' }, /^files\.example:81 is not an allowed/],
  [
    { code: 'address_not_allowed', host: 'nas.lan', address: '10.0.0.5' },
    /^nas\.lan .* 10\.0\.0\.5/,
  ],
  [{ code: 'timed_out', phase: 'connect', seconds: 15 }, /^No connection within 15 seconds\.$/],
  [{ code: 'timed_out', phase: 'stalled', seconds: 30 }, /less than 16 KiB in 30 seconds/],
  [{ code: 'timed_out', phase: 'total', seconds: 0.5 }, /longer than 0\.5 seconds/],
  [{ code: 'too_large', maximum: 17_179_869_184 }, /larger than 17\.2 GB/],
  [{ code: 'size_differs', expected: 9, actual: 1 }, /has 1 byte, not the 9 bytes that/],
  [{ code: 'size_differs', expected: 48_000_000, actual: null }, /48\.0 MB \(48,000,000 bytes\)/],
])('%j', (failure, sentence) => {
  expect(proofFailureSentence(ProofFailure.parse(failure))).toMatch(sentence)
})
