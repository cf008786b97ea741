import { type Command, Option } from 'commander'
import { z } from 'zod'
import { Version } from '../../../shared/names.ts'
import { addServerCommand } from '../command/options.ts'
import { FileName, several, valid, validNumber } from '../command/valid.ts'
import { PublishedOrDraftDocument } from '../documents/documents.ts'
import { addPlanOptions } from '../release/plan-options.ts'
import { readArtifact } from '../release/release-files.ts'
import { text as common } from '../strings/common.ts'
import { text as draftText } from '../strings/draft.ts'
import { text } from '../strings/publish.ts'
import { publish, URL_TIMEOUT } from './publish.ts'
import { addTargetOptions, readFileOption, readRolloutOption } from './publish-options.ts'
import { IF_EXISTS } from './publish-or-same.ts'

const UrlTimeout = z.int().min(1, text.urlTimeoutRange).max(3_600, text.urlTimeoutRange)

/** `publish`. */
export function addPublishCommand(program: Command): void {
  const command = addServerCommand(program, 'publish', text.description, PublishedOrDraftDocument)
    .argument('<app>', common.appArgument)
    .argument('<channel>', common.channelArgument)
    .argument('[version]', text.version, valid(Version))
    .option('--from <manifest>', text.from, several(valid(FileName)))
    .option('--file <platform/arch[/kind]=path>', text.file, several(readFileOption))
    .option('--url-base <url>', text.urlBase)
    .option('--upload', text.upload)
    .option('--artifact <members>', text.artifact, several(readArtifact))
    .option('--artifacts-file <file>', text.artifactsFile, valid(FileName))
    .option('--verify-urls', text.verifyUrls)
    .option('--url-timeout <seconds>', text.urlTimeout(URL_TIMEOUT), validNumber(UrlTimeout))
    .option('--notes <source>', text.notes, valid(FileName))
    .option('--rollout <pct>', text.rollout, readRolloutOption)
    .option('--strict', text.strict)
    .option('--draft', draftText.draftOption)
  addTargetOptions(command)
  addPlanOptions(command)
  command
    .addOption(new Option('--if-exists <what>', text.ifExists).choices(IF_EXISTS))
    .action(publish)
}
