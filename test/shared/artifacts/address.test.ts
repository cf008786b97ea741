import { describe, expect, it } from 'vitest'
import { completeAddress, isBaseAddress } from '../../../src/shared/artifacts/address.ts'

describe('the address of a file', () => {
  it('follows the folder, with or without its last slash, percent-encoded', () => {
    const address = 'https://dl.example/1.4.0/Editor%20Setup%231.exe'
    expect(completeAddress('https://dl.example/1.4.0', 'Editor%20Setup%231.exe')).toBe(address)
    expect(completeAddress('https://dl.example/1.4.0/', 'Editor%20Setup%231.exe')).toBe(address)
  })

  it('is empty without a folder that can be used', () => {
    expect(completeAddress('', 'a.exe')).toBe('')
    expect(completeAddress('file:///tmp', 'a.exe')).toBe('')
    expect(isBaseAddress('file:///tmp')).toBe(false)
    expect(isBaseAddress('')).toBe(true)
  })
})
