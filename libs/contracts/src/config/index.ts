export * from './duration';
export * from './model-script';
export * from './writ-config';
export * from './writ-tools';
