export { readArguments, usage, type UpArguments, type UpReading } from './arguments';
export { humanReport, jsonReport, type Report } from './report';
