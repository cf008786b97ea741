import { createConfig, lintFromString } from '@redocly/openapi-core'
import spectral from '@stoplight/spectral-core'
import { oas } from '@stoplight/spectral-rulesets'
import { openApiDocument } from '../src/server/http/openapi/openapi.ts'
import { VERSION } from '../src/server/runtime/version.ts'

// `npm run api:check`: the rules that Redocly recommends and Spectral's for OpenAPI, on the
// description that the server serves. Warnings fail too. Works without a network.

const NAME = 'openapi.json'
const description = JSON.stringify(openApiDocument(VERSION))
const findings = [...(await redocly(description)), ...(await bySpectral(description))]
for (const finding of findings) process.stderr.write(`api: ${finding}\n`)
if (findings.length > 0) process.exitCode = 1

async function redocly(source: string): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'] })
  const problems = await lintFromString({ source, absoluteRef: NAME, config })
  return problems.map(
    ({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer}: ${message}`,
  )
}

async function bySpectral(source: string): Promise<string[]> {
  const linter = new spectral.Spectral()
  linter.setRuleset({
    extends: [[{ extends: [], ...oas }, 'recommended']],
    rules: {
      // The contact is the operator of a server, which the program does not know.
      'info-contact': 'off',
      // Knows only the scopes of OAuth. OpenAPI 3.1 has role names for every kind of key, and
      // Redocly's rules check that the scheme exists.
      'oas3-operation-security-defined': 'off',
    },
  })
  const problems = await linter.run(source)
  return problems.map(({ code, message, path }) => `${code} /${path.join('/')}: ${message}`)
}
